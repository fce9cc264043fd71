import type { ArgumentsHost } from '@nestjs/common';
import { ExternalExceptionsHandler } from '@nestjs/core/exceptions/external-exceptions-handler.js';
import { describeFailure } from '../../../../core/log/describe-failure.js';
import { Logger } from '../../../../core/logger/logger.js';
import { formatLine } from '../../../log/format-line.js';
import type { HandlerCall } from '../handler-call.js';
import { HandlerExecutionContext } from '../handler-execution-context.js';
import { buildSentFailure } from '../response/build-sent-failure.js';
import { settle } from '../take-last-value.js';
import { isExpected } from './is-expected.js';

const logger = new Logger('McpHandlers');

/** What a call comes to after its filter. */
type Outcome = { readonly failure: unknown } | { readonly value: unknown };

/**
 * Logs the first exception of a call if a filter replaces it. Callers and later reports are also told about the first one.
 * What a filter answers on purpose is no error of the application.
 */
function logFirstException({ context }: HandlerCall, exception: unknown, outcome: Outcome): void {
  // A cancelled call gets no answer, and is not an error.
  if (('failure' in outcome && outcome.failure === exception) || context.signal.aborted) return;
  try {
    const { text, stack } = describeFailure(exception);
    const line = formatLine(`A call failed before its exception filter: ${text}`, context);
    if (isMeant(exception, outcome)) logger.debug(line, stack);
    else logger.error(line, stack);
  } catch {
    // A logger that throws keeps no caller from its answer.
  }
}

/** An answer without a value loses what went wrong, unless it is meant for callers. */
function isMeant(exception: unknown, outcome: Outcome): boolean {
  if ('failure' in outcome) return isExpected(outcome.failure);
  return outcome.value !== undefined || isExpected(exception);
}

/**
 * Passes on what no filter takes: Nest's own handler logs it too, but the dispatcher knows which errors are expected. What a
 * filter sends to the response is the failure of the call.
 */
export class HandlerExceptionsHandler extends ExternalExceptionsHandler {
  readonly #chosen: ExternalExceptionsHandler;

  /** @param chosen has the filters of the handler */
  constructor(chosen: ExternalExceptionsHandler) {
    super();
    this.#chosen = chosen;
  }

  override async next(exception: Error, host: ArgumentsHost): Promise<unknown> {
    const context = HandlerExecutionContext.from(host);
    const { call } = context;
    try {
      const value = await this.#handle(exception, context);
      logFirstException(call, exception, { value });
      return value;
    } catch (failure) {
      logFirstException(call, exception, { failure });
      throw failure;
    } finally {
      call.usedResponse?.finish();
    }
  }

  /** Returns the answer of a filter. Without one, it throws the error of the call. */
  async #handle(exception: Error, context: HandlerExecutionContext): Promise<unknown> {
    const { call } = context;
    const taken: Promise<unknown> | null | undefined = this.#chosen.invokeCustomFilters(exception, context);
    const value = await settle(await taken, call.context);
    const { passedOn, sentAnswer } = call.usedResponse ?? {};
    if (passedOn !== undefined && passedOn.error !== exception) throw passedOn.error;
    if (sentAnswer !== undefined) throw buildSentFailure(sentAnswer, exception);
    const isTaken = taken !== undefined && taken !== null;
    // Adapters' methods give the response itself.
    if (isTaken && (value === undefined || value !== call.usedResponse)) return value;
    throw exception;
  }
}
