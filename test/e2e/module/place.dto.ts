import { IsString } from 'class-validator';

/** A DTO in a file of its own, which is imported as a type. */
export class PlaceDto {
  @IsString()
  town!: string;
}
