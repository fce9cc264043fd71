import { Injectable } from '@nestjs/common';

export interface ProductRow {
  id: number;
  title: string;
  price: number;
  supplierCost: number;
  createdAt: Date;
}

/** Has the shape of a client of Prisma, whose engine would have to be downloaded: plain rows, and `undefined` is no condition. */
@Injectable()
export class PrismaService {
  readonly product = new Table<ProductRow>([
    { id: 1, title: 'Lamp', price: 30, supplierCost: 11, createdAt: new Date('2026-01-05T10:00:00Z') },
    { id: 2, title: 'Desk', price: 240, supplierCost: 150, createdAt: new Date('2026-02-11T08:30:00Z') },
  ]);
}

class Table<Row extends { id: number }> {
  constructor(private readonly rows: Row[]) {}

  async findMany({ where = {} }: { where?: Partial<Row> } = {}): Promise<Row[]> {
    return this.rows.filter((row) => isMatch(row, where));
  }

  async findUnique({ where }: { where: Partial<Row> }): Promise<Row | null> {
    return this.rows.find((row) => isMatch(row, where)) ?? null;
  }

  async create({ data }: { data: Omit<Row, 'id'> }): Promise<Row> {
    const row = { id: this.rows.length + 1, ...data } as Row;
    this.rows.push(row);
    return row;
  }
}

function isMatch<Row extends object>(row: Row, where: Partial<Row>): boolean {
  return Object.entries(where).every(
    ([name, value]) => value === undefined || Reflect.get(row, name) === value,
  );
}
