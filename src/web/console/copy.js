// Puts a button beside each text that people copy. Without script they select it: one click selects all of it.
for (const box of document.querySelectorAll('[data-copy]')) {
  if (!navigator.clipboard) break;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'quiet';
  button.textContent = box.dataset.copy;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(box.textContent.trim());
    button.textContent = box.dataset.copied;
  });
  box.after(button);
}
