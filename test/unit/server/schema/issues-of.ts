import type { CompiledSchema } from '../../../../lib/server/schema/compiled-schema.interface.js';
import { formatIssues } from '../../../../lib/server/schema/validation-issues.js';

/** The text a model reads about a value; empty when the value is valid. */
export async function issuesOf(schema: CompiledSchema, value: unknown): Promise<string> {
  const outcome = await schema.validate(value);
  return outcome.valid ? '' : formatIssues(outcome.issues);
}

/** What a handler would be given for a value that is valid. */
export async function valueOf(schema: CompiledSchema, value: unknown): Promise<unknown> {
  const outcome = await schema.validate(value);
  if (!outcome.valid) throw new Error(formatIssues(outcome.issues));
  return outcome.value;
}
