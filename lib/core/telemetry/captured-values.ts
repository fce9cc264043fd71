import type { Attributes } from '@opentelemetry/api';
import { isObject } from '../protocol/json-rpc.js';
import { Attribute } from './attribute-names.js';
import { boundText } from './bound-text.js';
import { findTarget, type OperationFacts } from './operation-facts.js';
import type { CapturedValue, TelemetryOptions } from './telemetry-options.interface.js';

/** Arguments of one prompt that are recorded. */
const MOST_VARIABLES = 64;

/** What calls are made with and what they come to, as far as the application wants it on spans. */
export class CapturedValues {
  constructor(private readonly options: TelemetryOptions) {}

  /** Describes the arguments of a tool or a prompt. */
  describeArguments(facts: OperationFacts): Attributes | undefined {
    if (this.options.captureArguments !== true) return undefined;
    const target = findTarget(facts);
    const given = facts.params?.['arguments'];
    if (target === undefined || given === undefined) return undefined;
    const { method } = facts;
    const shown = this.#show(given, { kind: 'arguments', method, target });
    if (method === 'prompts/get') return describeVariables(shown);
    return describeValue(Attribute.toolArguments, shown);
  }

  /** Describes what a tool has answered, if it succeeded. */
  describeResult(facts: OperationFacts, findResult: () => unknown): Attributes | undefined {
    if (this.options.captureResults !== true || facts.method !== 'tools/call') return undefined;
    const target = findTarget(facts);
    if (target === undefined) return undefined;
    const captured: CapturedValue = { kind: 'result', method: facts.method, target };
    return describeValue(Attribute.toolResult, this.#show(findResult(), captured));
  }

  /** A redactor that fails must neither fail the call nor let through what it was to hide. */
  #show(value: unknown, captured: CapturedValue): unknown {
    const { redact } = this.options;
    if (redact === undefined) return value;
    try {
      // A redactor may take away from what it is given, which the call still needs.
      const shown = redact(structuredClone(value), captured);
      if (!(shown instanceof Promise)) return shown;
      // Spans do not wait for a promise, and nobody would see its rejection.
      shown.catch(() => undefined);
      return undefined;
    } catch {
      return undefined;
    }
  }
}

function describeVariables(values: unknown): Attributes | undefined {
  if (!isObject(values)) return undefined;
  const described = Object.entries(values)
    .slice(0, MOST_VARIABLES)
    .flatMap(([name, value]) => {
      const text = formatValue(value);
      return text === undefined ? [] : [[`${Attribute.promptVariable}.${boundText(name)}`, text]];
    });
  return Object.fromEntries(described) as Attributes;
}

function describeValue(name: string, value: unknown): Attributes | undefined {
  const text = formatValue(value);
  return text === undefined ? undefined : { [name]: text };
}

/** Spans carry no objects: they are recorded as JSON. */
function formatValue(value: unknown): string | undefined {
  try {
    const text: string | undefined = typeof value === 'string' ? value : JSON.stringify(value);
    return text === undefined ? undefined : boundText(text);
  } catch {
    return undefined;
  }
}
