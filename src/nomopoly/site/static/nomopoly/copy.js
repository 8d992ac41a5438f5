// Buttons that copy what stands in a field; without script, the field is there to be marked.
for (const button of document.querySelectorAll("[data-copy]")) {
  const field = document.getElementById(button.dataset.copy);
  button.hidden = false;
  button.addEventListener("click", async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      document.execCommand("copy"); // where the page is not served over HTTPS
    }
    const gettext = window.gettext ?? ((text) => text);
    button.textContent = gettext("Copied");
  });
}
