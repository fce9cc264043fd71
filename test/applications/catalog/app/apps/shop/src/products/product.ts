import { Field, Float, GraphQLISODateTime, InputType, Int, ObjectType } from '@nestjs/graphql';
import { IsNumber, IsPositive, IsString, MinLength } from 'class-validator';

@ObjectType({ description: 'Something that is sold' })
export class Product {
  @Field(() => Int)
  id: number;

  @Field({ description: 'What customers read' })
  title: string;

  @Field(() => Float, { description: 'In euros' })
  price: number;

  @Field(() => GraphQLISODateTime)
  createdAt: Date;
}

@InputType()
export class NewProduct {
  @Field()
  @IsString()
  @MinLength(2)
  title: string;

  @Field(() => Float)
  @IsNumber()
  @IsPositive()
  price: number;
}
