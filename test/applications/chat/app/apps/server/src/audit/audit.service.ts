import { Injectable } from '@nestjs/common';
import { ClsService } from 'nestjs-cls';

@Injectable()
export class AuditService {
  constructor(private readonly cls: ClsService) {}

  get actor(): string | undefined {
    return this.cls.get('actor');
  }
}
