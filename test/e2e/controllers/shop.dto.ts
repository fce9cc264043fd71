import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Exclude, Expose, Type } from 'class-transformer';
import {
  IsArray,
  IsEmail,
  IsEnum,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Length,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';

export enum Color {
  Red = 'red',
  Green = 'green',
}

export class Size {
  @ApiProperty({ description: 'Width in centimeters', minimum: 1 })
  @IsInt()
  @Min(1)
  width = 1;

  @ApiPropertyOptional({ description: 'Height in centimeters' })
  @IsOptional()
  @IsInt()
  height?: number;
}

export class NewArticle {
  @ApiProperty({ description: 'The name, as customers read it', example: 'Boots' })
  @IsString()
  @Length(2, 20)
  name!: string;

  @ApiProperty({ description: 'The price in euros' })
  @IsNumber()
  @Min(0)
  @Max(1000)
  price!: number;

  @ApiPropertyOptional({ enum: Color })
  @IsOptional()
  @IsEnum(Color)
  color?: Color;

  @ApiProperty({ type: () => Size })
  @ValidateNested()
  @Type(() => Size)
  size!: Size;

  @ApiPropertyOptional({ type: [String] })
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  tags?: string[];
}

export class Page {
  @ApiPropertyOptional({ description: 'The number of the page' })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  page = 1;

  @ApiPropertyOptional({ description: 'Words in the name' })
  @IsOptional()
  @IsString()
  @Length(1, 10)
  words?: string;
}

export class Article {
  @ApiProperty()
  id!: number;

  @ApiProperty()
  name!: string;

  @Exclude()
  purchasePrice = 3;

  @Expose({ groups: ['staff'] })
  supplier = 'Acme';

  constructor(given: Partial<Article>) {
    Object.assign(this, given);
  }
}

export class Buyer {
  @ApiProperty()
  @IsEmail()
  email!: string;
}
