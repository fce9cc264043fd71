import type { Attributes } from '@opentelemetry/api';
import { type Observers, Redaction } from '../log/observers.js';
import { isObject } from '../protocol/json-rpc.js';
import {
  Attribute,
  findTarget,
  formatTarget,
  type OperationFacts,
  type OperationTarget,
  truncate,
} from './operation-facts.js';
import type { CapturedValue, TelemetryOptions } from './telemetry-options.js';

/** The maximum number of arguments to record per prompt. */
const MOST_VARIABLES = 64;

/** Methods whose arguments are recorded. */
const CAPTURED: ReadonlySet<string> = new Set(['tools/call', 'prompts/get']);

/** The targets, arguments and results of calls that the application records on spans. */
export class CapturedValues {
  readonly #redaction: Redaction<CapturedValue> | undefined;

  constructor(
    private readonly options: TelemetryOptions,
    observers: Observers,
  ) {
    const { redact } = options;
    if (redact !== undefined) this.#redaction = new Redaction(redact, observers, 'telemetry.redact');
  }

  /** Describes an operation's tool, prompt or resource. */
  describeTarget({ method }: OperationFacts, found: OperationTarget): Attributes | undefined {
    const target = formatTarget(found);
    const shown =
      this.#redaction === undefined
        ? target
        : this.#redaction.showTarget(target, { kind: 'target', method, target });
    return shown === undefined ? undefined : { [found.attribute]: truncate(shown) };
  }

  /** Describes a tool's or a prompt's arguments. */
  describeArguments({ method, params }: OperationFacts, found: OperationTarget): Attributes | undefined {
    if (this.options.captureArguments !== true || !CAPTURED.has(method)) return undefined;
    const given = params?.['arguments'];
    if (given === undefined) return undefined;
    const shown = this.#show(given, { kind: 'arguments', method, target: formatTarget(found) });
    if (method === 'prompts/get') return describeVariables(shown);
    return describeValue(Attribute.toolArguments, shown);
  }

  /** Describes a tool's result, if the call succeeded. */
  describeResult(facts: OperationFacts, findResult: () => unknown): Attributes | undefined {
    const { method } = facts;
    if (this.options.captureResults !== true || method !== 'tools/call') return undefined;
    const target = findTarget(facts);
    if (target === undefined) return undefined;
    const captured: CapturedValue = { kind: 'result', method, target: formatTarget(target) };
    return describeValue(Attribute.toolResult, this.#show(findResult(), captured));
  }

  #show(value: unknown, captured: CapturedValue): unknown {
    return this.#redaction === undefined ? value : this.#redaction.show(value, captured);
  }
}

function describeVariables(values: unknown): Attributes | undefined {
  if (!isObject(values)) return undefined;
  const described = Object.entries(values)
    .slice(0, MOST_VARIABLES)
    .flatMap(([name, value]) => {
      const text = formatValue(value);
      return text === undefined ? [] : [[`${Attribute.promptVariable}.${truncate(name)}`, text]];
    });
  return Object.fromEntries(described) as Attributes;
}

function describeValue(name: string, value: unknown): Attributes | undefined {
  const text = formatValue(value);
  return text === undefined ? undefined : { [name]: text };
}

/** Span attributes cannot be objects, so they are recorded as JSON. */
function formatValue(value: unknown): string | undefined {
  try {
    const text: string | undefined = typeof value === 'string' ? value : JSON.stringify(value);
    return text === undefined ? undefined : truncate(text);
  } catch {
    return undefined;
  }
}
