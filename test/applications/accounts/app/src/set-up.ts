import {
  ClassSerializerInterceptor,
  HttpStatus,
  type INestApplication,
  UnprocessableEntityException,
  type ValidationError,
  ValidationPipe,
  VersioningType,
} from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { Reflector } from '@nestjs/core';

export function setUp(app: INestApplication) {
  app.setGlobalPrefix(app.get(ConfigService).getOrThrow('app.apiPrefix'));
  app.enableVersioning({ type: VersioningType.URI });
  app.useGlobalPipes(
    new ValidationPipe({
      transform: true,
      whitelist: true,
      errorHttpStatusCode: HttpStatus.UNPROCESSABLE_ENTITY,
      exceptionFactory: (errors) =>
        new UnprocessableEntityException({
          status: HttpStatus.UNPROCESSABLE_ENTITY,
          errors: mapErrors(errors),
        }),
    }),
  );
  app.useGlobalInterceptors(new ClassSerializerInterceptor(app.get(Reflector)));
}

function mapErrors(errors: ValidationError[]): object {
  return Object.fromEntries(
    errors.map(({ property, children = [], constraints = {} }) => [
      property,
      children.length > 0 ? mapErrors(children) : Object.values(constraints).join(', '),
    ]),
  );
}
