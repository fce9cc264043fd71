import { randomUUID } from 'node:crypto';
import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { type PagedDto, paginate } from '../paging/page.dto';
import {
  type CreateCustomerDto,
  CustomerDto,
  CustomerOrder,
  CustomerStatus,
  type ListCustomersDto,
  Tier,
  type UpdateCustomerDto,
} from './customer.dto';

const ADDRESS = { street: 'St James Square 12', city: 'London', postalCode: '12345', country: 'GB' };

@Injectable()
export class CustomersService {
  private readonly customers = new Map<string, CustomerDto>();

  constructor() {
    this.save({
      id: '5b0f9a52-5f0f-4c4e-9d59-3c1a7c1d2e01',
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      status: CustomerStatus.Active,
      tier: Tier.Gold,
      addresses: [ADDRESS],
      creditLimit: 5000,
      createdAt: new Date('2026-01-05T10:00:00Z'),
    });
    this.save({
      id: '5b0f9a52-5f0f-4c4e-9d59-3c1a7c1d2e02',
      name: 'Grace Hopper',
      email: 'grace@example.com',
      status: CustomerStatus.Blocked,
      tier: Tier.Basic,
      addresses: [],
      creditLimit: null,
      createdAt: new Date('2026-02-05T10:00:00Z'),
    });
  }

  list(query: ListCustomersDto): PagedDto<CustomerDto> {
    const rows = [...this.customers.values()].filter(
      ({ name, status, creditLimit, createdAt }) =>
        (query.search === undefined || name.includes(query.search)) &&
        (query.status === undefined || query.status.includes(status)) &&
        (query.hasCredit === undefined || query.hasCredit === Number.isFinite(creditLimit)) &&
        (query.createdAfter === undefined || createdAt > query.createdAfter),
    );
    rows.sort((one, other) =>
      query.orderBy === CustomerOrder.Name
        ? one.name.localeCompare(other.name)
        : Number(other.createdAt) - Number(one.createdAt),
    );
    return paginate(rows, query);
  }

  get(id: string): CustomerDto {
    const found = this.customers.get(id);
    if (found === undefined) throw new NotFoundException(`There is no customer ${id}`);
    return found;
  }

  create(given: CreateCustomerDto): CustomerDto {
    if ([...this.customers.values()].some(({ email }) => email === given.email))
      throw new ConflictException(`There is a customer with the address ${given.email}`);
    return this.save({ ...given, id: randomUUID(), createdAt: new Date() });
  }

  update(id: string, given: UpdateCustomerDto): CustomerDto {
    const changes = Object.entries(given).filter(([, value]) => value !== null && value !== undefined);
    return Object.assign(this.get(id), Object.fromEntries(changes));
  }

  remove(id: string): void {
    this.get(id);
    this.customers.delete(id);
  }

  private save(given: Partial<CustomerDto>): CustomerDto {
    const customer = new CustomerDto({ ...given, passwordHash: 'scrypt-5f0f4c' });
    this.customers.set(customer.id, customer);
    return customer;
  }
}
