import {
  ApiExtraModels,
  ApiHideProperty,
  ApiProperty,
  ApiPropertyOptional,
  getSchemaPath,
  IntersectionType,
  PartialType,
  PickType,
} from '@nestjs/swagger';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsDate,
  IsDefined,
  IsEnum,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsPositive,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { AddressDto } from '../customers/address.dto';
import { PageDto } from '../paging/page.dto';
import { CardPaymentDto, type PaymentDto, TransferPaymentDto } from './payment.dto';

export enum OrderStatus {
  Draft = 'draft',
  Placed = 'placed',
  Shipped = 'shipped',
  Canceled = 'canceled',
}

export class OrderLineDto {
  @ApiProperty({ example: 'chair', maxLength: 20 })
  @IsString()
  @MaxLength(20)
  article: string;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: 99 })
  @IsInt()
  @Min(1)
  @Max(99)
  quantity: number;

  @ApiPropertyOptional({ type: Number, description: 'Price of one', exclusiveMinimum: true, minimum: 0 })
  @IsOptional()
  @IsNumber()
  @IsPositive()
  price?: number;
}

class ParcelAddressDto extends PickType(AddressDto, ['street', 'city', 'country'] as const) {}

class DeliveryDto {
  @ApiProperty({ type: ParcelAddressDto })
  @IsDefined()
  @ValidateNested()
  @Type(() => ParcelAddressDto)
  to: ParcelAddressDto;

  @ApiPropertyOptional({ type: String, format: 'date-time' })
  @IsOptional()
  @Type(() => Date)
  @IsDate()
  notBefore?: Date;
}

@ApiExtraModels(CardPaymentDto, TransferPaymentDto)
export class CreateOrderDto {
  @ApiProperty({ type: () => [OrderLineDto], minItems: 1, maxItems: 5 })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(5)
  @ValidateNested({ each: true })
  @Type(() => OrderLineDto)
  lines: OrderLineDto[];

  @ApiProperty({
    oneOf: [{ $ref: getSchemaPath(CardPaymentDto) }, { $ref: getSchemaPath(TransferPaymentDto) }],
    discriminator: { propertyName: 'kind' },
  })
  @IsDefined()
  @ValidateNested()
  @Type(() => CardPaymentDto, {
    keepDiscriminatorProperty: true,
    discriminator: {
      property: 'kind',
      subTypes: [
        { name: 'card', value: CardPaymentDto },
        { name: 'transfer', value: TransferPaymentDto },
      ],
    },
  })
  payment: PaymentDto;

  @ApiPropertyOptional({ type: DeliveryDto })
  @IsOptional()
  @ValidateNested()
  @Type(() => DeliveryDto)
  delivery?: DeliveryDto;

  @ApiPropertyOptional({ type: String, nullable: true, example: 'SPRING' })
  @IsOptional()
  @IsString()
  coupon?: string | null;
}

export class UpdateOrderDto extends PartialType(PickType(CreateOrderDto, ['lines', 'coupon'] as const)) {
  @ApiPropertyOptional({ enum: OrderStatus })
  @IsOptional()
  @IsEnum(OrderStatus)
  status?: OrderStatus;

  @ApiPropertyOptional({ type: 'integer', description: 'The number of the order that replaces it' })
  @IsOptional()
  @IsInt()
  number?: number;
}

export class CancelOrderDto {
  @ApiProperty({ enum: ['mistake', 'late', 'other'] })
  @IsIn(['mistake', 'late', 'other'])
  reason: string;

  @ApiPropertyOptional({ type: String, maxLength: 60 })
  @IsOptional()
  @IsString()
  @MaxLength(60)
  comment?: string;
}

export class SearchOrdersDto extends IntersectionType(
  PageDto,
  PartialType(PickType(OrderLineDto, ['article'] as const)),
) {
  @ApiPropertyOptional({ type: [Number], description: 'Numbers of orders' })
  @IsOptional()
  @Transform(({ value }) => value.split(',').map(Number))
  @IsInt({ each: true })
  numbers?: number[];

  @ApiPropertyOptional({ enum: OrderStatus, isArray: true })
  @IsOptional()
  @Transform(({ value }) => [value].flat())
  @IsEnum(OrderStatus, { each: true })
  status?: OrderStatus[];
}

export class LineParamsDto {
  @ApiProperty({ type: 'integer', example: 1 })
  @Type(() => Number)
  @IsInt()
  number: number;

  @ApiProperty({ type: 'integer', example: 0 })
  @Type(() => Number)
  @IsInt()
  @Min(0)
  line: number;
}

export class OrderDto {
  @ApiProperty({ type: 'integer' })
  number: number;

  @ApiProperty({ enum: OrderStatus, enumName: 'OrderStatus' })
  status: OrderStatus;

  @ApiProperty({ type: () => [OrderLineDto] })
  lines: OrderLineDto[];

  @ApiPropertyOptional({ type: String, nullable: true })
  coupon?: string | null;

  @ApiPropertyOptional({ type: DeliveryDto })
  delivery?: DeliveryDto;

  @ApiHideProperty()
  @Exclude()
  payment: PaymentDto;

  @ApiPropertyOptional({ type: Number, name: 'margin_percent' })
  @Expose({ name: 'margin_percent', groups: ['admin'] })
  marginPercent: number = 37;

  constructor(given: Partial<OrderDto>) {
    Object.assign(this, given);
  }
}

/** Orders of version 2 have the sum of their lines. */
export class OrderV2Dto extends OrderDto {
  @ApiProperty({ type: Number, description: 'Sum of all lines that have a price' })
  @Expose()
  get total(): number {
    return this.lines.reduce((sum, { price = 0, quantity }) => sum + price * quantity, 0);
  }
}
