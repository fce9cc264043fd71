import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsISO31661Alpha2, IsNotEmpty, IsOptional, IsString, Length, Matches } from 'class-validator';

export class AddressDto {
  @ApiProperty({ example: 'St James Square 12', minLength: 1, maxLength: 40 })
  @IsString()
  @Length(1, 40)
  street: string;

  @ApiProperty({ example: 'London' })
  @IsString()
  @IsNotEmpty()
  city: string;

  @ApiProperty({ example: '12345', pattern: '^\\d{5}$' })
  @Matches(/^\d{5}$/)
  postalCode: string;

  @ApiProperty({ description: 'Code of two letters', example: 'GB' })
  @IsISO31661Alpha2()
  country: string;

  @ApiPropertyOptional({ description: 'For the courier alone', nullable: true, type: String })
  @IsOptional()
  @IsString()
  note?: string | null;
}
