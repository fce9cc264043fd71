import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { McpElicitation } from 'nestjs-mcp/client-module';
import { BookingHandlers } from '../input-requests/booking.app.js';
import { CapturedLog } from '../../unit/support/captured-log.js';
import { bootCustomer, bootShop, WIRES, type Customer, type RunningShop } from './shop.app.js';

const FORGED = 'no\n[Nest] 1  - ERROR forged\u001b[2J';

@Injectable()
class Careless {
  @McpElicitation()
  answer(): never {
    const failure = new Error(FORGED);
    // A stack is written when it is read first.
    void failure.stack;
    failure.message = 'It cannot be asked';
    throw failure;
  }
}

describe.each(WIRES)('Lines of the log about what a server asks an injected client (%j)', (negotiation) => {
  let server: RunningShop;
  let customer: Customer;
  let log: CapturedLog;

  beforeEach(async () => {
    server = await bootShop({}, [BookingHandlers]);
    customer = await bootCustomer({ url: server.url, negotiation }, [Careless]);
    log = CapturedLog.begin();
  });

  afterEach(async () => {
    log.release();
    await customer.app.close();
    await server.close();
  });

  it('end as all lines about calls do, and cannot be forged (OPS-06)', async () => {
    await customer.client.callTool('book', { city: 'Berlin' }).catch(() => undefined);
    const lines = log.errors.filter((line) => line.startsWith('"Careless.answer" failed to handle'));
    expect(lines[0]).toMatch(
      /^"Careless.answer" failed to handle elicitation for "shop": It cannot be asked \[caller=- session=- address=- method="elicitation\/create" target=-\]\n/,
    );
    expect(
      lines
        .join('\n')
        .split('\n')
        .filter((line) => line.startsWith('[Nest]')),
    ).toEqual([]);
    expect(lines.join('\n')).not.toContain('\u001b');
  });
});
