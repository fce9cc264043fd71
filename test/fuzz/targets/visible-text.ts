import { findResponse } from '../../../lib/core/doctor/probe/probe-wire.js';
import { makeLine, makeVisible, quoteVisible } from '../../../cli/visible-text.js';
import { isObject } from '../../../lib/core/protocol/json-rpc.js';
import { assertHolds, assertPristine } from '../contract.js';

/** What terminals obey. */
const OBEYED = /(?![\n\t])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Shows a text of a server in a terminal, and finds an answer in it. */
export function fuzz(bytes: Buffer): void {
  const text = bytes.toString();
  const visible = makeVisible(text);
  assertHolds(!OBEYED.test(visible), 'a terminal has nothing to obey');
  assertHolds(makeVisible(visible) === visible, 'what is visible stays as it is');
  assertHolds(!/[\r\n]/.test(makeLine(text)), 'a line is one');
  assertHolds(quoteVisible(text).length <= 163, 'a quote is short');
  const response = findResponse(text);
  assertPristine();
  if (response !== undefined)
    assertHolds(isObject(response) && response['jsonrpc'] === '2.0', 'an answer is one');
}
