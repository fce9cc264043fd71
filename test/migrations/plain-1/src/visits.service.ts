import { Injectable } from '@nestjs/common';

export interface Visit {
  id: string;
  patient: string;
  hour: number;
}

@Injectable()
export class VisitsService {
  private readonly visits: Visit[] = [
    { id: 'v1', patient: 'Ada', hour: 9 },
    { id: 'v2', patient: 'Grace', hour: 11 },
  ];

  find(patient: string): Visit[] {
    return this.visits.filter((visit) => visit.patient === patient);
  }

  get(id: string): Visit {
    const visit = this.visits.find((one) => one.id === id);
    if (!visit) throw new Error(`There is no visit ${id}`);
    return visit;
  }
}
