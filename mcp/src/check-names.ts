import type { JsonSchemaType, jsonSchemaValidator } from '@modelcontextprotocol/server';

/**
 * Checks which parameters a call has. Their values are the API's to check: it names every wrong field and what would be
 * right.
 */
export const checkNames: jsonSchemaValidator = {
  getValidator<Value>(schema: JsonSchemaType) {
    const { properties = {}, required = [] } = schema as { properties?: object; required?: string[] };
    const names = Object.keys(properties);
    return (input: unknown) => {
      const given = Object.keys(input ?? {});
      const unknown = given.filter((name) => !names.includes(name));
      const missing = required.filter((name) => !given.includes(name));
      const problems = [
        ...missing.map((name) => `${name} is missing`),
        ...unknown.map((name) => `there is no parameter ${name}`),
      ];
      if (problems.length === 0) return { valid: true, data: input as Value, errorMessage: undefined };
      const all = names.length === 0 ? 'This tool has no parameters.' : `Parameters: ${names.join(', ')}.`;
      return { valid: false, data: undefined, errorMessage: `${problems.join('; ')}. ${all}` };
    };
  },
};
