import { ConflictException, Injectable, NotFoundException } from '@nestjs/common';
import { type PagedDto, paginate } from '../paging/page.dto';
import {
  type CancelOrderDto,
  type CreateOrderDto,
  OrderDto,
  type OrderLineDto,
  OrderStatus,
  type SearchOrdersDto,
  type UpdateOrderDto,
} from './order.dto';
import type { PaymentDto } from './payment.dto';

const CARD = { kind: 'card', lastDigits: '4242', brand: 'visa' } as const;

@Injectable()
export class OrdersService {
  private readonly orders: OrderDto[] = [];
  private readonly keys = new Map<string, OrderDto>();

  constructor() {
    this.create({ lines: [{ article: 'chair', quantity: 2, price: 80 }], payment: CARD });
    this.create({ lines: [{ article: 'lamp', quantity: 1 }], payment: CARD, coupon: 'SPRING' });
  }

  find(statuses: string[] | undefined, numbers: number[] | undefined, limit: number): OrderDto[] {
    return this.orders
      .filter(
        ({ status, number }) => (statuses?.includes(status) ?? true) && (numbers?.includes(number) ?? true),
      )
      .slice(0, limit);
  }

  search(query: SearchOrdersDto): PagedDto<OrderDto> {
    const rows = this.find(query.status, query.numbers, Infinity);
    const { article } = query;
    return paginate(
      article === undefined ? rows : rows.filter(({ lines }) => lines.some((one) => one.article === article)),
      query,
    );
  }

  get(number: number): OrderDto {
    const found = this.orders.find((order) => order.number === number);
    if (found === undefined) throw new NotFoundException(`There is no order ${number}`);
    return found;
  }

  getLine(number: number, line: number): OrderLineDto {
    const found = this.get(number).lines[line];
    if (found === undefined) throw new NotFoundException(`The order ${number} has no line ${line}`);
    return found;
  }

  create(given: CreateOrderDto, key?: string): OrderDto {
    const known = key === undefined ? undefined : this.keys.get(key);
    if (known !== undefined) return known;
    const order = new OrderDto({ ...given, number: this.orders.length + 1, status: OrderStatus.Placed });
    this.orders.push(order);
    if (key !== undefined) this.keys.set(key, order);
    return order;
  }

  update(
    number: number,
    { number: replacement, ...changes }: UpdateOrderDto,
  ): OrderDto & { replacement?: number } {
    const given = Object.entries(changes).filter(([, value]) => value !== null && value !== undefined);
    return Object.assign(this.get(number), Object.fromEntries(given), { replacement });
  }

  pay(number: number, payment: PaymentDto): OrderDto {
    return Object.assign(this.get(number), { payment });
  }

  cancel(number: number, { reason }: CancelOrderDto): OrderDto {
    const order = this.get(number);
    if (order.status === OrderStatus.Canceled)
      throw new ConflictException({ message: [`number ${number} is canceled`, `reason was ${reason}`] });
    order.status = OrderStatus.Canceled;
    return order;
  }

  remove(number: number): void {
    this.orders.splice(this.orders.indexOf(this.get(number)), 1);
  }
}
