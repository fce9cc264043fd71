import { HttpException } from '@nestjs/common';
import { AuthError } from '../../../core/oauth/auth.error.js';
import { McpError } from '../../../core/protocol/mcp.error.js';
import { ToolError } from '../../context/tool-errors.js';

/** Returns whether an error is meant for the caller, rather than an application failure. */
export function isExpected(failure: unknown): boolean {
  if (failure instanceof HttpException) return failure.getStatus() < 500;
  return failure instanceof McpError || failure instanceof ToolError || failure instanceof AuthError;
}
