import { Transform } from 'class-transformer';
import { IsNotEmpty, IsOptional, IsString, NotEquals } from 'class-validator';

export class FindBooksDto {
  @IsOptional()
  @IsString()
  @NotEquals(null)
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value))
  title = '';
}

export class LendBookDto {
  @IsString()
  @IsNotEmpty()
  @NotEquals(null)
  reader: string;
}
