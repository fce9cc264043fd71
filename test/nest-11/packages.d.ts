/** What the tests use of packages that are installed beside Nest 11 alone. */
declare module 'nestjs-zod' {
  import type { NestInterceptor, PipeTransform, Type } from '@nestjs/common';
  import type { z } from 'zod';

  export function createZodDto<Schema extends z.ZodType<object>>(
    schema: Schema,
  ): (new () => z.output<Schema>) & { readonly schema: Schema };
  export const ZodValidationPipe: Type<PipeTransform>;
  export const ZodSerializerInterceptor: Type<NestInterceptor>;
  export function createZodSerializerInterceptor(options: {
    readonly reportInput?: boolean;
  }): Type<NestInterceptor>;
  export function ZodSerializerDto(dto: object): MethodDecorator;
}

declare module '@sentry/nestjs' {
  interface SentryEvent {
    readonly exception?: {
      readonly values?: readonly {
        readonly value?: string;
        readonly mechanism?: { readonly type: string };
      }[];
    };
  }

  export function init(options: {
    readonly dsn: string;
    readonly defaultIntegrations: false;
    readonly beforeSend: (event: SentryEvent) => null;
  }): unknown;
  export function SentryExceptionCaptured(): MethodDecorator;
  export function SentryTraced(op?: string): MethodDecorator;
  export function flush(timeoutMs?: number): Promise<boolean>;
  export function close(timeoutMs?: number): Promise<boolean>;
}

declare module '@sentry/nestjs/setup' {
  import type { DynamicModule, ExceptionFilter, Type } from '@nestjs/common';

  export const SentryGlobalFilter: Type<ExceptionFilter>;
  export const SentryModule: { forRoot(): DynamicModule };
}
