import { Injectable, NotFoundException } from '@nestjs/common';
import { PrismaService, type ProductRow } from '../prisma.service';
import type { NewProduct, Product } from './product';

@Injectable()
export class ProductsService {
  constructor(private readonly prisma: PrismaService) {}

  async list(title?: string): Promise<Product[]> {
    return (await this.prisma.product.findMany({ where: { title } })).map(show);
  }

  /** For callers that check it: a product, or null. */
  async find(title: string): Promise<Product | null> {
    const row = await this.prisma.product.findUnique({ where: { title } });
    return row && show(row);
  }

  async get(id: number): Promise<Product> {
    const row = await this.prisma.product.findUnique({ where: { id } });
    if (row === null) throw new NotFoundException(`No product has the id ${id}`);
    return show(row);
  }

  async create(input: NewProduct): Promise<Product> {
    return show(
      await this.prisma.product.create({ data: { ...input, supplierCost: 0, createdAt: new Date() } }),
    );
  }
}

function show({ id, title, price, createdAt }: ProductRow): Product {
  return { id, title, price, createdAt };
}
