/** How lists, files and screens name the vehicle of a job: as the gateway confirmed it, else as typed. '' without one. */
export function vehicleNameOf(job: { vehicle: { name: string } | null; vehicleText?: string | undefined }): string {
  return job.vehicle?.name || (job.vehicleText ?? '').trim()
}
