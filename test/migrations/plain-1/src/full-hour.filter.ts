import { Catch, ExceptionFilter } from '@nestjs/common';

export class FullHourError extends Error {
  constructor(readonly hour: number) {
    super(`The hour ${hour} is full`);
  }
}

@Catch(FullHourError)
export class FullHourFilter implements ExceptionFilter {
  catch(exception: FullHourError) {
    return `[FULL] ${exception.message}`;
  }
}
