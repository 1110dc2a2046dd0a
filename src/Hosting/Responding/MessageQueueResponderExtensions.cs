using System.Diagnostics.CodeAnalysis;
using BufferedMessages;
using BufferedMessages.Hosting;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Options;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>The registration of responders.</summary>
public static class MessageQueueResponderExtensions
{
    extension(MessageQueueBuilder queue)
    {
        /// <summary>
        /// Adds a responder to the requests of the queue. It is a handler with defaults that suit a waiting client: it does not try again, does not pause after failures, and its spans continue the
        /// traces of the clients. Its state is available as the <see cref="MessageHandlerControl"/> with the key <c>queue/responder</c>, and its options are the named options of this name. Responders
        /// of one name in several processes share the requests; if one dies, another answers in its place.
        /// </summary>
        /// <typeparam name="TRequestView">The type to read the requests as: a generated view, <see cref="RawMessage"/> or <see cref="ValueMessage{T}"/>.</typeparam>
        /// <typeparam name="TReply">The type of the replies, with <see cref="BufferedMessageSourceAttribute"/>.</typeparam>
        /// <typeparam name="TResponder">The responder. It is added to the services as transient, unless it is there already; each worker requests one in its scope.</typeparam>
        /// <param name="name">Its name, which its clients must know. It must be a valid folder name of 1 to 116 bytes in UTF-8 that does not end with <c>.attempts</c> or <c>.removed</c>.</param>
        /// <param name="configure">Changes its options.</param>
        /// <exception cref="ArgumentException">The name is not valid for a folder or a consumer.</exception>
        /// <exception cref="InvalidOperationException">The queue already has a handler or responder of this name.</exception>
        public MessageQueueBuilder AddResponder<TRequestView, TReply, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] TResponder>(
            string name, Action<MessageHandlerOptions>? configure = null)
            where TRequestView : IQueuePayload<TRequestView>, allows ref struct
            where TReply : IBufferedMessageSource<TReply>
            where TResponder : class, IResponder<TRequestView, TReply>
        {
            ArgumentNullException.ThrowIfNull(queue);
            queue.AddHandler<TRequestView, RespondingHandler<TRequestView, TReply, TResponder>>(name, configure);
            var key = new HandlerRegistration(queue.Name, name).Key;

            // As the first change of the options: a default does not replace one that was made before this call.
            queue.Services.Insert(0, ServiceDescriptor.Singleton<IConfigureOptions<MessageHandlerOptions>>(new ConfigureNamedOptions<MessageHandlerOptions>(
                key, static options => (options.RetryDelays, options.BreakAfter, options.ContinueTrace) = ([], null, true))));
            queue.Services.TryAddTransient<TResponder>();
            queue.Services.TryAddSingleton(static provider => new ReplyDesk<TReply>(provider));
            queue.Services.AddKeyedSingleton<IUnhandledMessages>(
                key,
                static (provider, _) => new RequestFailures<TReply>(provider.GetRequiredService<ReplyDesk<TReply>>(), ServiceQueue.LoggerOf(provider)));
            return queue;
        }
    }
}
