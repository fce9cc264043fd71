import type { OpenObject } from '../../../../core/protocol/capabilities.js';
import { isObject } from '../../../../core/protocol/json-rpc.js';
import { serializeInstances } from '../../../schema/dto/serialize-instances.js';
import { formatIssues } from '../../../schema/validation-issues.js';
import type { CompiledSchema, ValidationOutcome } from '../../../schema/compiled-schema.interface.js';
import { describeFailure } from '../../../../core/log/describe-failure.js';

/** What is nested more deeply might overflow the stack of who writes it into a message, or reads it. */
const MOST_LEVELS = 100;

/** A payload as it is sent, or why it cannot be. */
export type ReadPayload = CopiedPayload | { readonly fault: string; readonly isTooLong?: boolean };

/** A payload that nobody changes any more. */
export interface CopiedPayload {
  readonly data: OpenObject;
  /** Its length as JSON. */
  readonly characters: number;
}

/** What a payload must be. */
export interface PayloadRules {
  readonly schema?: CompiledSchema | undefined;
  readonly mostCharacters: number;
}

/**
 * Makes what a source emits the payload of an event: a copy, as JSON has it, that fits the schema. It never throws, and gives a
 * promise only if the schema does.
 */
export function readPayload(value: unknown, rules: PayloadRules): ReadPayload | Promise<ReadPayload> {
  const copied = copy(value, rules);
  if ('fault' in copied || rules.schema === undefined) return copied;
  try {
    const outcome = rules.schema.validate(copied.data);
    if (!(outcome instanceof Promise)) return judge(copied, outcome, rules);
    return outcome.then((late) => judge(copied, late, rules)).catch(explain);
  } catch (error) {
    return explain(error);
  }
}

function judge(copied: CopiedPayload, outcome: ValidationOutcome, rules: PayloadRules): ReadPayload {
  if (!outcome.valid)
    return { fault: `the payload does not fit its schema: ${formatIssues(outcome.issues)}` };
  // A schema may change what it lets through.
  return outcome.value === copied.data ? copied : copy(outcome.value, rules);
}

function copy(value: unknown, { mostCharacters }: PayloadRules): ReadPayload {
  try {
    const json: string | undefined = JSON.stringify(serializeInstances(value));
    const data: unknown = json === undefined ? undefined : JSON.parse(json);
    if (json === undefined || !isObject(data))
      return { fault: 'the payload is not an object: emit plain objects' };
    if (json.length > mostCharacters)
      return {
        fault: `the payload has ${json.length} characters, ${mostCharacters} at most are sent`,
        isTooLong: true,
      };
    if (!isWithin(data, MOST_LEVELS)) return { fault: `the payload has more than ${MOST_LEVELS} levels` };
    return { data, characters: json.length };
  } catch (error) {
    return explain(error);
  }
}

function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => isWithin(member, levels - 1));
}

function explain(error: unknown): { readonly fault: string } {
  return { fault: `the payload cannot be read: ${describeFailure(error).text}` };
}
