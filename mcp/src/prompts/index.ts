import { fromJsonSchema } from '@modelcontextprotocol/server';
import { auditAndRewrite } from './audit-and-rewrite.ts';
import type { Prompt } from './prompt.ts';
import { researchKeywords } from './research-keywords.ts';

/** Every prompt, with its arguments as a schema. */
export const prompts = [researchKeywords, auditAndRewrite].map((prompt: Prompt) => ({
  ...prompt,
  argsSchema: fromJsonSchema<Record<string, string>>({
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(prompt.arguments).map(([name, description]) => [name, { type: 'string', description }]),
    ),
    required: prompt.required,
  }),
}));
