// window.Holon is this app's line to its agent:
//   context()                 who am I?
//   request(type, payload)    ask the agent for something
//   events()                  see what becomes of it
// The page is loaded anew when one of its files changes: keep what must last in sessionStorage,
// under a key that has location.pathname in it, since apps share an origin.
const status = document.getElementById("status");

try {
  const { agent_id, app_id } = await Holon.context();
  status.textContent = `This is ${app_id}, an app of the agent ${agent_id}.`;
} catch (error) {
  status.textContent = error.message;
}
