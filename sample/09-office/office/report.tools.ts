import { Injectable, type OnModuleInit } from '@nestjs/common';
import { McpCatalog, Tool } from 'nestjs-mcp';

const SUBJECTS = ['sales', 'stock', 'travel', 'payroll', 'energy', 'visitors', 'parking', 'canteen'];
const PERIODS = ['daily', 'weekly', 'monthly', 'quarterly', 'yearly'];

/** More tools than a model should have to read. */
@Injectable()
export class ReportTools implements OnModuleInit {
  constructor(private readonly catalog: McpCatalog) {}

  onModuleInit(): void {
    for (const subject of SUBJECTS) {
      for (const period of PERIODS) {
        const name = `${period}_${subject}_report`;
        const description = `Writes the ${period} report on ${subject}`;
        this.catalog.tools.add(
          { name, description, tags: ['figures'] },
          () => `The ${period} figures of ${subject}`,
        );
      }
    }
  }

  @Tool({ description: 'Tells the opening hours of the office' })
  hours() {
    return '9 to 18';
  }

  @Tool({ description: 'Removes all reports', tags: ['admin'] })
  purge() {
    return 'The reports are gone';
  }
}
