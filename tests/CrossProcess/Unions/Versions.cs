// A stream of events, and the same of a program that knows one case more.
namespace BufferedMessages.CrossProcess.Unions.Version1
{
    [BufferedMessageUnion]
    [BufferedCase<Opened>(1)]
    [BufferedCase<Paid>(2)]
    internal partial interface IAccountEvent;

    [BufferedMessageSource]
    internal sealed partial record Opened(string Owner) : IAccountEvent;

    [BufferedMessageSource]
    internal sealed partial record Paid(int Cents) : IAccountEvent;
}

namespace BufferedMessages.CrossProcess.Unions.Version2
{
    [BufferedMessageUnion]
    [BufferedCase<Opened>(1)]
    [BufferedCase<Paid>(2)]
    [BufferedCase<Closed>(3)]
    internal partial interface IAccountEvent;

    [BufferedMessageSource]
    internal sealed partial record Opened(string Owner) : IAccountEvent;

    [BufferedMessageSource]
    internal sealed partial record Paid(int Cents, string? Note) : IAccountEvent;

    [BufferedMessageSource]
    internal sealed partial record Closed(string Reason) : IAccountEvent;
}
