import { ForbiddenException, Inject, Injectable, Scope } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { type Invoice, Ledgers } from './ledgers';

/** The tenant of the request, and its ledger alone. */
@Injectable({ scope: Scope.REQUEST })
export class Tenant {
  constructor(
    @Inject(REQUEST) private readonly request: { tenant?: string },
    private readonly ledgers: Ledgers,
  ) {}

  get name(): string {
    return this.request.tenant ?? 'nobody';
  }

  get ledger(): Invoice[] {
    const ledger = this.ledgers.find(this.name);
    if (ledger === undefined) throw new ForbiddenException(`There is no tenant "${this.name}"`);
    return ledger;
  }
}
