namespace BufferedMessages.Hosting;

/// <summary>A queue that is registered as a service.</summary>
/// <param name="Name">Its name among the services.</param>
internal sealed record QueueRegistration(string Name);
