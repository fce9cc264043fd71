import { Logger } from '../../../core/logger/logger.js';
import type { RequestContext } from '../../context/request-context.js';
import { formatLine } from '../../log/format-line.js';
import type { ValidationOutcome } from '../../schema/compiled-schema.interface.js';
import { repairArguments } from '../../schema/repair/repair-arguments.js';
import type { ServerSettings } from '../../settings/server-settings.js';
import { selectStructureBounds } from '../../settings/structure-bounds.js';
import type { ToolEntry } from '../entries.js';

type Outcome = ValidationOutcome | Promise<ValidationOutcome>;

/** A call whose arguments are validated. */
export interface ValidatedCall {
  readonly given: object;
  readonly context: RequestContext;
  readonly settings: Pick<ServerSettings, 'arguments' | 'limits'>;
}

const logger = new Logger('Mcp');

/** Validates the arguments of a tool. If they do not fit and the tool says so, they are repaired and validated once more. */
export function validateArguments(tool: ToolEntry, call: ValidatedCall): Outcome {
  const outcome = tool.input.validate(call.given);
  if (!(tool.options.repairArguments ?? call.settings.arguments.repair)) return outcome;
  return outcome instanceof Promise
    ? outcome.then((settled) => retry(tool, settled, call))
    : retry(tool, outcome, call);
}

/** If the repaired arguments do not fit either, the caller is told about those that it sent. */
function retry(tool: ToolEntry, outcome: ValidationOutcome, call: ValidatedCall): Outcome {
  if (outcome.valid) return outcome;
  const { given, settings } = call;
  const repaired = repairArguments(tool.input.jsonSchema, given, selectStructureBounds(settings));
  if (repaired === undefined) return outcome;

  const settle = (second: ValidationOutcome): ValidationOutcome => {
    if (!second.valid) return outcome;
    note(tool, repaired.paths, call);
    return second;
  };
  const second = tool.input.validate(repaired.value);
  return second instanceof Promise ? second.then(settle) : settle(second);
}

function note({ key }: ToolEntry, paths: readonly string[], { context }: ValidatedCall): void {
  context.operation?.noteRepair(key, paths.length);
  const names = JSON.stringify(paths.join(', ').slice(0, LONGEST_NAMES));
  logger.debug(formatLine(`Arguments of the tool "${key}" were repaired: ${names}`, context));
}

const LONGEST_NAMES = 200;
