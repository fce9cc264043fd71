import type { Provider } from '@nestjs/common';
import { AnswerForwarding } from './answer-forwarding.js';
import { AskerFactory } from './asker-factory.js';
import { InputRounds } from './input-rounds.js';
import { RequestStateCodec } from './request-state.js';

/** What lets handlers ask the client. */
export const ASKING_PROVIDERS: readonly Provider[] = [
  RequestStateCodec,
  AskerFactory,
  InputRounds,
  AnswerForwarding,
];
