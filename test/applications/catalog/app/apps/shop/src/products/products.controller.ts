import { Body, Controller, Get, Param, ParseIntPipe, Post } from '@nestjs/common';
import { NewProduct } from './product';
import { ProductsService } from './products.service';

@Controller('products')
export class ProductsController {
  constructor(private readonly products: ProductsService) {}

  @Get()
  async list() {
    return { products: await this.products.list() };
  }

  @Get(':id')
  get(@Param('id', ParseIntPipe) id: number) {
    return this.products.get(id);
  }

  @Post()
  create(@Body() input: NewProduct) {
    return this.products.create(input);
  }
}
