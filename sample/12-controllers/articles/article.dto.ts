import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Exclude } from 'class-transformer';
import { IsNumber, IsOptional, IsString, Length, Max, Min } from 'class-validator';

export class NewArticle {
  @ApiProperty({ description: 'The name, as customers read it', example: 'Boots' })
  @IsString()
  @Length(2, 40)
  name!: string;

  @ApiProperty({ description: 'The price in euros' })
  @IsNumber()
  @Min(0)
  @Max(1000)
  price!: number;
}

export class SearchArticles {
  @ApiPropertyOptional({ description: 'A part of the name; without it, all articles are found' })
  @IsOptional()
  @IsString()
  name?: string;
}

export class Article extends NewArticle {
  @ApiProperty()
  id!: number;

  /** No response has it. */
  @Exclude()
  purchasePrice!: number;
}
