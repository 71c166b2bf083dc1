/** Whether the text is on the clipboard now: not over plain HTTP, and not while another window is in front. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
