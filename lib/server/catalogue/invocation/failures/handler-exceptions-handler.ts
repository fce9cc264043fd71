import type { ArgumentsHost } from '@nestjs/common';
import { ExternalExceptionsHandler } from '@nestjs/core/exceptions/external-exceptions-handler.js';
import { HandlerExecutionContext } from '../handler-execution-context.js';
import { buildSentFailure } from '../response/build-sent-failure.js';
import { settle } from '../take-last-value.js';
import { logFirstException } from './first-exception-log.js';

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
