// The rights of the roles of API keys, as the enums of the schema state them.
import type { Role } from '../../core/principal.ts'

export const roleTexts: Record<Role, string> = {
  project_admin: 'Reads and writes, and also keys and configuration.',
  project: 'Reads and writes.',
  viewer: 'Reads only.',
}
