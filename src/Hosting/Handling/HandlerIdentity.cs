using Microsoft.Extensions.Logging;

namespace BufferedMessages.Hosting;

/// <summary>A handler of the services, as all of its parts know it.</summary>
/// <param name="Queue">The name of its queue among the services.</param>
/// <param name="Name">Its own name, which is also its consumer name in the queue.</param>
/// <param name="Options">Its options.</param>
/// <param name="Time">The clock of its waits.</param>
/// <param name="Logger">The log.</param>
internal sealed record HandlerIdentity(string Queue, string Name, MessageHandlerOptions Options, TimeProvider Time, ILogger Logger);
