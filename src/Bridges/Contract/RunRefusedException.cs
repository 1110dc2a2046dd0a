namespace BufferedMessages.Bridges;

/// <summary>The exception for a run that the broker received and refused to store. The forwarder repeats the run.</summary>
/// <param name="message">The answer of the broker.</param>
/// <param name="innerException">Its cause.</param>
public sealed class RunRefusedException(string message, Exception? innerException = null) : IOException(message, innerException);
