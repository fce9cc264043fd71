import { Args, Float, Int, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { NewProduct, Product } from './product';
import { ProductsService } from './products.service';

@Resolver(() => Product)
export class ProductsResolver {
  constructor(private readonly products: ProductsService) {}

  @Query(() => [Product], { name: 'products' })
  list(@Args('title', { nullable: true }) title?: string) {
    return this.products.list(title);
  }

  @Query(() => Product)
  product(@Args('id', { type: () => Int }) id: number) {
    return this.products.get(id);
  }

  @Mutation(() => Product)
  createProduct(@Args('input') input: NewProduct) {
    return this.products.create(input);
  }

  @ResolveField(() => Float)
  priceWithTax(@Parent() { price }: Product) {
    return Math.round(price * 119) / 100;
  }
}
