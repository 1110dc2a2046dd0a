using BufferedMessages.Samples.AccessLog;

namespace BufferedMessages.CrossProcess.AccessLog;

/// <summary>Compares lines of an access log with views of their messages, every field.</summary>
internal sealed class LogComparison : FieldComparison
{
    private const int FieldsOfLine = 3;
    private const int FieldsOfRequest = 10;

    /// <summary>How many fields these lines have.</summary>
    public static int FieldsOf(Log log) => log.Lines.Sum(static line => FieldsOfLine + (line.Request is null ? 0 : FieldsOfRequest));

    public void Compare(LogLine expected, LogLineBufferedMessage actual)
    {
        Value(expected.Number, actual.Number);
        Text(expected.Fault, actual.Fault);
        if (!IsNull(expected.Request, actual.Request.IsNull))
        {
            Compare(expected.Request!, actual.Request);
        }
    }

    private void Compare(Request expected, RequestBufferedMessage actual)
    {
        Text(expected.Client, actual.Client);
        Text(expected.User, actual.User);
        Value((expected.Time.DateTime, expected.Time.Offset), (actual.Time.DateTime, actual.Time.Offset));
        Text(expected.Method, actual.Method);
        Text(expected.Path, actual.Path);
        Text(expected.Protocol, actual.Protocol);
        Value(expected.Status, actual.Status);
        Value(expected.Bytes, actual.Bytes);
        Text(expected.Referrer, actual.Referrer);
        Text(expected.UserAgent, actual.UserAgent);
    }
}
