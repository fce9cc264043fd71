import {
  ApiHideProperty,
  ApiProperty,
  ApiPropertyOptional,
  IntersectionType,
  OmitType,
  PartialType,
} from '@nestjs/swagger';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsDate,
  IsEmail,
  IsEnum,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Min,
  ValidateNested,
} from 'class-validator';
import { PageDto } from '../paging/page.dto';
import { AddressDto } from './address.dto';

export enum CustomerStatus {
  Prospect = 'prospect',
  Active = 'active',
  Blocked = 'blocked',
}

export enum Tier {
  Basic = 1,
  Silver = 2,
  Gold = 3,
}

export enum CustomerOrder {
  Name = 'name',
  Newest = '-createdAt',
}

export class CreateCustomerDto {
  @ApiProperty({ description: 'Name on invoices', example: 'Ada Lovelace', minLength: 2, maxLength: 40 })
  @IsString()
  @Length(2, 40)
  name: string;

  @ApiProperty({ format: 'email', example: 'ada@example.com' })
  @Transform(({ value }) => (typeof value === 'string' ? value.trim().toLowerCase() : value))
  @IsEmail()
  email: string;

  @ApiPropertyOptional({ enum: CustomerStatus, enumName: 'CustomerStatus', default: CustomerStatus.Prospect })
  @IsOptional()
  @IsEnum(CustomerStatus)
  status: CustomerStatus = CustomerStatus.Prospect;

  @ApiProperty({ enum: Tier, description: 'From 1, basic, to 3, gold' })
  @IsEnum(Tier)
  tier: Tier;

  @ApiProperty({ type: [AddressDto], description: 'The first is that of invoices' })
  @IsArray()
  @ArrayMaxSize(3)
  @ValidateNested({ each: true })
  @Type(() => AddressDto)
  addresses: AddressDto[];

  @ApiPropertyOptional({ type: [String], example: ['vip'] })
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  tags?: string[];

  @ApiPropertyOptional({ type: Number, nullable: true, minimum: 0 })
  @IsOptional()
  @IsNumber({ maxDecimalPlaces: 2 })
  @Min(0)
  creditLimit?: number | null;

  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  @IsOptional()
  @IsObject()
  metadata?: Record<string, unknown>;

  @ApiPropertyOptional({ type: String, format: 'date-time' })
  @IsOptional()
  @Type(() => Date)
  @IsDate()
  bornAt?: Date;
}

export class UpdateCustomerDto extends PartialType(OmitType(CreateCustomerDto, ['email'] as const)) {}

class CustomerFilterDto {
  @ApiPropertyOptional({ description: 'Words of the name' })
  @IsOptional()
  @IsString()
  search?: string;

  @ApiPropertyOptional({ enum: CustomerStatus, isArray: true })
  @IsOptional()
  @Transform(({ value }) => [value].flat())
  @IsEnum(CustomerStatus, { each: true })
  status?: CustomerStatus[];

  @ApiPropertyOptional({ enum: CustomerOrder, default: CustomerOrder.Name })
  @IsOptional()
  @IsEnum(CustomerOrder)
  orderBy: CustomerOrder = CustomerOrder.Name;

  @ApiPropertyOptional({ type: Boolean, description: 'Those with a limit of credit alone' })
  @IsOptional()
  @Transform(({ value }) => (value === 'true' ? true : value === 'false' ? false : value))
  @IsBoolean()
  hasCredit?: boolean;

  @ApiPropertyOptional({ type: String, format: 'date-time' })
  @IsOptional()
  @Type(() => Date)
  @IsDate()
  createdAfter?: Date;
}

export class ListCustomersDto extends IntersectionType(PageDto, CustomerFilterDto) {}

export class CustomerDto extends OmitType(CreateCustomerDto, ['creditLimit'] as const) {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiPropertyOptional({ type: Number, nullable: true, description: 'For administrators alone' })
  @Expose({ groups: ['admin'] })
  creditLimit?: number | null;

  @ApiProperty({ type: String, format: 'date-time' })
  createdAt: Date;

  @ApiHideProperty()
  @Exclude()
  passwordHash: string;

  @ApiProperty({ description: 'Initials of the name', example: 'AL' })
  @Expose()
  get initials(): string {
    return this.name.replace(/(\S)\S*\s*/g, '$1').toUpperCase();
  }

  constructor(given: Partial<CustomerDto>) {
    super();
    Object.assign(this, given);
  }
}
