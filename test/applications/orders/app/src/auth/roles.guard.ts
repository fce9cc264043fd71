import { applyDecorators, type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiForbiddenResponse } from '@nestjs/swagger';
import { ProblemDto } from '../problem.filter';

const RequiredRole = Reflector.createDecorator<string>();

export const NeedsRole = (role: string) =>
  applyDecorators(
    RequiredRole(role),
    ApiForbiddenResponse({ type: ProblemDto, description: `Needs ${role}` }),
  );

@Injectable()
export class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const role = this.reflector.getAllAndOverride(RequiredRole, [context.getHandler(), context.getClass()]);
    return role === undefined || context.switchToHttp().getRequest().user?.roles.includes(role);
  }
}
