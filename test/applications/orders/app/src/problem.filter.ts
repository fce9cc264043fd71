import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { Request, Response } from 'express';

export class FieldProblemDto {
  @ApiProperty({ example: 'email' })
  field: string;

  @ApiProperty({ example: 'email must be an email' })
  message: string;
}

export class ProblemDto {
  @ApiProperty({ example: 'Validation failed' })
  title: string;

  @ApiProperty({ example: 400 })
  status: number;

  @ApiPropertyOptional({ type: [FieldProblemDto] })
  errors?: FieldProblemDto[];

  @ApiProperty({ format: 'uri-reference' })
  instance: string;
}

@Catch(HttpException)
export class ProblemFilter implements ExceptionFilter {
  catch(exception: HttpException, host: ArgumentsHost) {
    const http = host.switchToHttp();
    const status = exception.getStatus();
    const { message } = exception.getResponse() as { message?: string | string[] };
    const problem: ProblemDto = {
      title: Array.isArray(message) ? 'Validation failed' : (message ?? exception.message),
      status,
      instance: http.getRequest<Request>().url,
      ...(Array.isArray(message) && {
        errors: message.map((text) => ({ field: text.split(' ')[0], message: text })),
      }),
    };
    http.getResponse<Response>().status(status).type('application/problem+json').send(problem);
  }
}
