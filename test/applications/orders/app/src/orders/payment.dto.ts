import { BadRequestException, Injectable, type PipeTransform } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { plainToInstance } from 'class-transformer';
import { Equals, IsIn, IsOptional, IsString, Length, Matches, validateSync } from 'class-validator';

export class CardPaymentDto {
  @ApiProperty({ enum: ['card'] })
  @Equals('card')
  kind: 'card';

  @ApiProperty({ description: 'The last four digits', example: '4242', pattern: '^\\d{4}$' })
  @Matches(/^\d{4}$/)
  lastDigits: string;

  @ApiPropertyOptional({ enum: ['visa', 'amex'] })
  @IsOptional()
  @IsIn(['visa', 'amex'])
  brand?: string;
}

export class TransferPaymentDto {
  @ApiProperty({ enum: ['transfer'] })
  @Equals('transfer')
  kind: 'transfer';

  @ApiProperty({ example: 'GB33BUKB20201555555555', minLength: 15, maxLength: 34 })
  @IsString()
  @Length(15, 34)
  iban: string;
}

export type PaymentDto = CardPaymentDto | TransferPaymentDto;

/** Validates what is one of several classes, which the global pipe cannot tell from the type. */
@Injectable()
export class PaymentPipe implements PipeTransform {
  transform(value: Partial<PaymentDto> | undefined): PaymentDto {
    const given: object = Object(value);
    const payment =
      value?.kind === 'transfer'
        ? plainToInstance(TransferPaymentDto, given)
        : plainToInstance(CardPaymentDto, given);
    const errors = validateSync(payment, { whitelist: true });
    if (errors.length === 0) return payment;
    throw new BadRequestException(errors.flatMap(({ constraints }) => Object.values(constraints ?? {})));
  }
}
