import { Injectable } from '@nestjs/common';
import {
  Context,
  McpRequestWithUser,
  PublicTool,
  Tool,
  ToolGuards,
  ToolRoles,
  ToolScopes,
} from '@rekog/mcp-nest';
import { z } from 'zod';
import { StaffGuard } from './staff.guard';

@Injectable()
export class RecordsTool {
  @Tool({ name: 'opening-hours', description: 'Tells when the clinic is open' })
  @PublicTool()
  openingHours() {
    return { content: [{ type: 'text', text: '8 to 18' }] };
  }

  @Tool({ name: 'who-am-i', description: 'Tells who is logged in' })
  whoAmI(_args, _context: Context, request: McpRequestWithUser) {
    return { content: [{ type: 'text', text: request.user.username ?? request.user.sub }] };
  }

  @Tool({
    name: 'delete-record',
    description: 'Deletes a record',
    parameters: z.object({ id: z.string() }),
  })
  @ToolScopes(['records:write', 'records:delete'])
  deleteRecord({ id }) {
    return { content: [{ type: 'text', text: `${id} is deleted` }] };
  }

  @Tool({ name: 'audit', description: 'Shows who did what' })
  @ToolRoles(['auditor'])
  audit() {
    return { content: [{ type: 'text', text: 'Nobody did anything' }] };
  }

  @Tool({ name: 'search', description: 'Searches, better with a scope' })
  @PublicTool()
  @ToolScopes(['premium'])
  search(_args, _context, request: any) {
    const isPremium = request.user?.scopes?.includes('premium');
    return { content: [{ type: 'text', text: isPremium ? 'all records' : 'public records' }] };
  }

  @Tool({ name: 'payroll', description: 'For staff alone', parameters: z.object({}) })
  @ToolGuards([StaffGuard])
  payroll() {
    return { content: [{ type: 'text', text: 'paid' }] };
  }
}
