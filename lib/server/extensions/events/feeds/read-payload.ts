import type { OpenObject } from '../../../../core/protocol/capabilities.js';
import { isObject } from '../../../../core/protocol/json-rpc.js';
import { describeFailure } from '../../../../core/log/describe-failure.js';
import { serializeInstances } from '../../../schema/dto/serialize-instances.js';
import { formatIssues } from '../../../schema/validation-issues.js';
import type { CompiledSchema, ValidationOutcome } from '../../../schema/compiled-schema.interface.js';

/** The maximum number of payloads that may wait for an asynchronous schema. Further ones are dropped. */
const MAX_WAITING = 1000;

/** Reads payloads in order, even if the schema is asynchronous. */
export class PayloadQueue {
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(
    private readonly rules: PayloadRules,
    /** Receives each payload as read. It must not throw. */
    private readonly onRead: (read: ReadPayload) => void,
  ) {}

  add(value: unknown): void {
    if (this.#waiting >= MAX_WAITING) {
      return this.onRead({ problem: `${MAX_WAITING} payloads are already waiting for validation` });
    }
    const read = readPayload(value, this.rules);
    if (read instanceof Promise || this.#waiting > 0) this.#append(read);
    else this.onRead(read);
  }

  /** Calls a function after all added payloads have been read. */
  finish(act: () => void): void {
    if (this.#waiting === 0) act();
    else this.#last = this.#last.then(act);
  }

  #append(read: ReadPayload | Promise<ReadPayload>): void {
    this.#waiting += 1;
    this.#last = this.#readAfter(this.#last, read);
  }

  async #readAfter(before: Promise<void>, read: ReadPayload | Promise<ReadPayload>): Promise<void> {
    await before;
    this.onRead(await read);
    this.#waiting -= 1;
  }
}

/** Deeper nesting might overflow the stack when a message is serialized or parsed. */
const MAX_LEVELS = 100;

/** A payload as sent, or why it cannot be sent. */
export type ReadPayload = CopiedPayload | { readonly problem: string; readonly isTooLong?: boolean };

/** A copied payload, which the application can no longer change. */
export interface CopiedPayload {
  readonly data: OpenObject;
  /** Its length as JSON. */
  readonly characters: number;
}

/** The rules that a payload must follow. */
export interface PayloadRules {
  readonly schema?: CompiledSchema | undefined;
  readonly maxCharacters: number;
}

/**
 * Copies an emitted value as JSON and validates it. Never throws, and returns a promise only if the schema is
 * asynchronous.
 */
export function readPayload(value: unknown, rules: PayloadRules): ReadPayload | Promise<ReadPayload> {
  const copied = copy(value, rules);
  if ('problem' in copied || rules.schema === undefined) return copied;
  try {
    const outcome = rules.schema.validate(copied.data);
    if (!(outcome instanceof Promise)) return checkOutcome(copied, outcome, rules);
    return outcome.then((late) => checkOutcome(copied, late, rules)).catch(explain);
  } catch (error) {
    return explain(error);
  }
}

function checkOutcome(copied: CopiedPayload, outcome: ValidationOutcome, rules: PayloadRules): ReadPayload {
  if (!outcome.valid)
    return { problem: `the payload does not match its schema: ${formatIssues(outcome.issues)}` };
  // A schema may transform the value.
  return outcome.value === copied.data ? copied : copy(outcome.value, rules);
}

function copy(value: unknown, { maxCharacters }: PayloadRules): ReadPayload {
  try {
    const json: string | undefined = JSON.stringify(serializeInstances(value));
    const data: unknown = json === undefined ? undefined : JSON.parse(json);
    if (json === undefined || !isObject(data))
      return { problem: 'the payload is not an object: emit plain objects' };
    if (json.length > maxCharacters)
      return {
        problem: `the payload has ${json.length} characters, expected at most ${maxCharacters}`,
        isTooLong: true,
      };
    if (!isWithin(data, MAX_LEVELS))
      return { problem: `the payload is nested more than ${MAX_LEVELS} levels deep` };
    return { data, characters: json.length };
  } catch (error) {
    return explain(error);
  }
}

function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => isWithin(member, levels - 1));
}

function explain(error: unknown): { readonly problem: string } {
  return { problem: `the payload cannot be read: ${describeFailure(error).text}` };
}
