// Causes with their own colour: a limit, or an activity of the application.

import type { ViewData } from '../format.js';

/** Id in `data.limits` of a limit with its form. */
export function swatchOf(data: Pick<ViewData, 'causes' | 'limits'>, limit: string, detail: string | null): string {
    const cause = data.causes.find((one) => one.detail === detail && data.limits[one.limit]?.limit === limit);
    return data.limits[cause?.limit ?? -1]?.id ?? limit;
}
