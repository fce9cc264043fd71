import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';

export class PageDto {
  @ApiPropertyOptional({ description: 'Number of the page', minimum: 1, default: 1 })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  page: number = 1;

  @ApiPropertyOptional({ description: 'Rows of a page', minimum: 1, maximum: 50, default: 20 })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(50)
  limit: number = 20;
}

export class PageInfoDto {
  @ApiProperty()
  page: number;

  @ApiProperty({ description: 'Rows of all pages' })
  total: number;

  @ApiProperty()
  hasNextPage: boolean;
}

export class PagedDto<Row> {
  @ApiProperty({ isArray: true })
  data: Row[];

  @ApiProperty({ type: () => PageInfoDto })
  info: PageInfoDto;
}

export function paginate<Row>(rows: Row[], { page, limit }: PageDto): PagedDto<Row> {
  const end = page * limit;
  return {
    data: rows.slice(end - limit, end),
    info: { page, total: rows.length, hasNextPage: rows.length > end },
  };
}
