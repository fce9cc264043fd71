import { Injectable, NotFoundException } from '@nestjs/common';
import type { Invoice } from '../tenants/ledgers';
import { Tenant } from '../tenants/tenant';
import { TaxClient } from './tax.client';

@Injectable()
export class InvoicesService {
  constructor(
    private readonly tenant: Tenant,
    private readonly taxes: TaxClient,
  ) {}

  list(): { tenant: string; invoices: Invoice[] } {
    return { tenant: this.tenant.name, invoices: this.tenant.ledger };
  }

  get(number: number): Invoice {
    const invoice = this.tenant.ledger.find((one) => one.number === number);
    if (invoice === undefined) throw new NotFoundException(`"${this.tenant.name}" has no invoice ${number}`);
    return invoice;
  }

  async write(net: number): Promise<Invoice> {
    const { ledger } = this.tenant;
    const tax = await this.taxes.ask(net);
    const invoice = { number: Math.max(...ledger.map(({ number }) => number)) + 1, net, tax };
    ledger.push(invoice);
    return invoice;
  }
}
