import { formatIssues } from '../../../schema/format-issues.js';
import type { CompiledSchema, ValidationOutcome } from '../../../schema/compiled-schema.interface.js';
import type { OpenObject } from '../../../protocol/capabilities.js';
import { isObject } from '../../../protocol/json-rpc.js';

/** A payload as it is sent, or why it cannot be. */
export type ReadPayload =
  | { readonly data: OpenObject; readonly characters: number }
  /** One sentence for the log. */
  | { readonly fault: string };

/** What a payload must be. */
export interface PayloadRules {
  readonly schema?: CompiledSchema | undefined;
  readonly mostCharacters: number;
}

/**
 * Makes what a source emits the payload of an event: a copy, as JSON has it, that fits the schema. It never throws, and gives a
 * promise only where the schema does.
 */
export function readPayload(value: unknown, rules: PayloadRules): ReadPayload | Promise<ReadPayload> {
  const copied = copy(value, rules);
  if ('fault' in copied || rules.schema === undefined) return copied;
  try {
    const outcome = rules.schema.validate(copied.data);
    if (!(outcome instanceof Promise)) return judge(outcome, rules);
    return outcome.then((late) => judge(late, rules)).catch(explain);
  } catch (error) {
    return explain(error);
  }
}

function judge(outcome: ValidationOutcome, rules: PayloadRules): ReadPayload {
  if (!outcome.valid)
    return { fault: `the payload does not fit its schema: ${formatIssues(outcome.issues)}` };
  return copy(outcome.value, rules);
}

function copy(value: unknown, { mostCharacters }: PayloadRules): ReadPayload {
  try {
    const json: string | undefined = JSON.stringify(value);
    const data: unknown = json === undefined ? undefined : JSON.parse(json);
    if (json === undefined || !isObject(data))
      return { fault: 'the payload is not an object: emit plain objects' };
    if (json.length <= mostCharacters) return { data, characters: json.length };
    return { fault: `the payload has ${json.length} characters, ${mostCharacters} at most are sent` };
  } catch (error) {
    return explain(error);
  }
}

function explain(error: unknown): { readonly fault: string } {
  return { fault: `the payload cannot be read: ${error instanceof Error ? error.message : String(error)}` };
}
