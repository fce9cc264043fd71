import { Injectable } from '@nestjs/common';

export interface Invoice {
  number: number;
  net: number;
  tax: number;
}

/** The invoices of each tenant. */
@Injectable()
export class Ledgers {
  private readonly ledgers = new Map<string, Invoice[]>([
    ['acme', [{ number: 1, net: 100, tax: 19 }]],
    ['globex', [{ number: 7, net: 20, tax: 0 }]],
  ]);

  find(tenant: string): Invoice[] | undefined {
    return this.ledgers.get(tenant);
  }
}
