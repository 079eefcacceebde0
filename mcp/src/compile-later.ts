import type { JsonSchemaType, JsonSchemaValidator, jsonSchemaValidator } from '@modelcontextprotocol/server';

/**
 * Compiles a schema when the first value is checked. The schemas of all tools together take half a second, which no start
 * waits for.
 */
export function compileLater(compiler: jsonSchemaValidator): jsonSchemaValidator {
  return {
    getValidator<Value>(schema: JsonSchemaType) {
      let check: JsonSchemaValidator<Value> | undefined;
      return (value) => {
        check ??= compiler.getValidator<Value>(schema);
        return check(value);
      };
    },
  };
}
