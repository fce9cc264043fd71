import { Injectable, Module } from '@nestjs/common';
import { McpModule, Tool } from '@rekog/mcp-nest';

@Injectable()
export class LoansTool {
  @Tool({ name: 'list-loans', description: 'Lists what is lent' })
  listLoans() {
    return { content: [{ type: 'text', text: 'Nothing' }] };
  }
}

@Module({
  imports: [McpModule.forFeature([LoansTool], 'loans')],
  providers: [LoansTool],
  exports: [LoansTool],
})
export class LoansModule {}
