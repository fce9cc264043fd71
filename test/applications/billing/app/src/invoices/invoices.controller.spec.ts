import { InvoicesController } from './invoices.controller';
import { InvoicesService } from './invoices.service';

describe('InvoicesController', () => {
  it('shows the invoices of a tenant', () => {
    const tenant = { name: 'acme', ledger: [{ number: 1, net: 100, tax: 19 }] };
    const controller = new InvoicesController(new InvoicesService(tenant as never, {} as never));
    expect(controller.list()).toEqual({ tenant: 'acme', invoices: tenant.ledger });
    expect(() => controller.get(2)).toThrow('"acme" has no invoice 2');
  });
});
